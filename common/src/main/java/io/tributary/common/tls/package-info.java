/** Certificates and keys from files. */
package io.tributary.common.tls;
