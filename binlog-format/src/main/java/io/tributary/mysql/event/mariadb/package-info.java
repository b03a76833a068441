/** Events that only MariaDB writes. */
package io.tributary.mysql.event.mariadb;
