/**
 * What commands print: facts as a table, JSON or YAML by one option, and texts with colours on a terminal only.
 * {@link io.tributary.node.command.output.OutputOptions} is the option; it renders maps, lists and scalars.
 */
package io.tributary.node.command.output;
