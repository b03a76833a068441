/** Character sets and collations by the numbers and names that MySQL has for them. */
package io.tributary.mysql.charset;
