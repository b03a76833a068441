package io.tributary.mysql.charset;

/**
 * A collation.
 *
 * @param id its number in events and in the protocol
 * @param name such as {@code utf8mb4_0900_ai_ci}
 * @param charset its character set, such as {@code utf8mb4}
 * @param isDefault whether it is the default of its character set in MySQL 8.0
 * @param maxLength maximum bytes of a character, 1..4
 */
public record Collation(int id, String name, String charset, boolean isDefault, int maxLength) {}
