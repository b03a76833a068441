/** MySQL's GTIDs: source ids with tags, and sets of transaction numbers as text and as bytes. */
package io.tributary.common.gtid;
