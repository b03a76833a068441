/** Character sets and collations by MySQL's numbers and names. */
package io.tributary.mysql.charset;
