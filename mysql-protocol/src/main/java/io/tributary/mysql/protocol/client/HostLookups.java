package io.tributary.mysql.protocol.client;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/** Looks up host names with the resolver of the JDK, which blocks, on threads that are made for it. */
final class HostLookups extends AddressResolverGroup<InetSocketAddress> {
    private final EventExecutorGroup threads;

    HostLookups(EventExecutorGroup threads) {
        this.threads = threads;
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor loop) {
        return new Names(loop).asAddressResolver();
    }

    /** What is looked up on one of the threads. */
    private interface Lookup<T> {
        T find() throws UnknownHostException;
    }

    private final class Names extends InetNameResolver {
        Names(EventExecutor loop) {
            super(loop);
        }

        @Override
        protected void doResolve(String host, Promise<InetAddress> found) {
            find(host, () -> InetAddress.getByName(host), found);
        }

        @Override
        protected void doResolveAll(String host, Promise<List<InetAddress>> found) {
            find(host, () -> List.of(InetAddress.getAllByName(host)), found);
        }

        /** An address in numbers is not looked up. */
        private <T> void find(String host, Lookup<T> lookup, Promise<T> found) {
            if (NetUtil.createByteArrayFromIpAddressString(host) != null) {
                complete(lookup, found);
                return;
            }
            try {
                threads.execute(() -> complete(lookup, found));
            } catch (RejectedExecutionException e) { // the node stops
                found.tryFailure(e);
            }
        }

        private <T> void complete(Lookup<T> lookup, Promise<T> found) {
            try {
                found.trySuccess(lookup.find());
            } catch (UnknownHostException e) {
                found.tryFailure(e);
            }
        }
    }
}
