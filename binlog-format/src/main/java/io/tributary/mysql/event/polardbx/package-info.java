/** Events that only PolarDB-X data nodes write. */
package io.tributary.mysql.event.polardbx;
