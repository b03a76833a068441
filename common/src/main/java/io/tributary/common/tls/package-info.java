/** Certificates and keys from PEM files. */
package io.tributary.common.tls;
