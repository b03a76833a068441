package io.tributary.compatibility.canal;

import com.alibaba.otter.canal.parse.inbound.mysql.tsdb.DatabaseTableMeta;
import com.alibaba.otter.canal.parse.inbound.mysql.tsdb.TableMetaTSDB;
import com.alibaba.otter.canal.parse.inbound.mysql.tsdb.TableMetaTSDBFactory;
import com.alibaba.otter.canal.parse.inbound.mysql.tsdb.dao.MetaHistoryDAO;
import com.alibaba.otter.canal.parse.inbound.mysql.tsdb.dao.MetaSnapshotDAO;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSessionFactory;
import org.h2.jdbcx.JdbcDataSource;
import org.mybatis.spring.SqlSessionFactoryBean;
import org.springframework.core.io.ClassPathResource;

/**
 * canal's store of table definitions (tsdb) in a file of H2, which is its deployer's default. The deployer's own configuration of it is not on Maven
 * Central: this class and the mappings beside it take its place.
 */
final class TableHistory implements TableMetaTSDBFactory {
    private final String url;

    /** @param url of the database, for JDBC */
    TableHistory(String url) {
        this.url = url;
    }

    @Override
    public TableMetaTSDB build(String destination, String springXml) {
        try {
            SqlSessionFactory sessions = sessions();
            MetaHistoryDAO history = new MetaHistoryDAO();
            history.setSqlSessionFactory(sessions);
            history.afterPropertiesSet();
            MetaSnapshotDAO snapshots = new MetaSnapshotDAO();
            snapshots.setSqlSessionFactory(sessions);
            snapshots.afterPropertiesSet();
            DatabaseTableMeta tables = new DatabaseTableMeta();
            tables.setMetaHistoryDAO(history);
            tables.setMetaSnapshotDAO(snapshots);
            return tables;
        } catch (Exception e) { // what Spring's factory declares
            throw new IllegalStateException(e);
        }
    }

    private SqlSessionFactory sessions() throws Exception {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(url);
        Configuration configuration = new Configuration();
        configuration.setMapUnderscoreToCamelCase(true);
        SqlSessionFactoryBean bean = new SqlSessionFactoryBean();
        bean.setDataSource(database);
        bean.setConfiguration(configuration);
        bean.setMapperLocations(
                new ClassPathResource("table-history.xml"), new ClassPathResource("table-snapshot.xml"));
        return bean.getObject();
    }

    @Override
    public void destory(String destination) {
        // the database ends with the process
    }
}
