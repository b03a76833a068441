/**
 * The keys of the rows of transactions, by which transactions that can be applied at the same time are found. {@link
 * io.tributary.schema.keys.TableKeys} finds the keys of a table in its definition, {@link io.tributary.schema.keys.KeyPlan} finds their columns in the
 * rows of a table map, and {@link io.tributary.schema.keys.KeyReader} hashes their values into {@link io.tributary.schema.keys.WriteSets}.
 */
package io.tributary.schema.keys;
