package io.tributary.mysql.protocol.server;

import io.tributary.mysql.protocol.auth.Account;

/** What a client has requested with its login, and the account that it has proved to own. */
record Login(ClientHello hello, Account account) {}
