/** Texts that pages, commands and the log have in common: JSON and tables. */
package io.tributary.node.text;
