/** The login: the two password methods, their digests, and accounts; used by both sides. */
package io.tributary.mysql.protocol.auth;
