// Reads a source by a zongji and prints what it reads in the matrix's common form: R, T and D lines.
// Arguments: package, port, user, password, file, position.
import { createRequire } from 'node:module';

const [name, port, user, password, filename, position] = process.argv.slice(2);
const loaded = name === '@vlasky/zongji' ? await import(name) : createRequire(import.meta.url)(name);
const ZongJi = loaded.default ?? loaded;
const DDL = /^\s*(create|alter|drop|rename|truncate)\s/i;
const lines = [];
let done = false;

function text(value) {
  if (Buffer.isBuffer(value)) {
    return 'x' + value.toString('hex');
  }
  if (value instanceof Date) {
    return value.toISOString();
  }
  return typeof value === 'string' ? value : JSON.stringify(value, (key, item) => (typeof item === 'bigint' ? `${item}` : item));
}

function row(table, action, images) {
  const key = images[0].id ?? Object.values(images[0])[0];
  const values = images.flatMap((image) => Object.values(image).map(text)).join('\t');
  lines.push(`R\t${table}\t${text(key)}\t${action}\t${values.replace(/\n/g, ' ')}`);
  done = done || table === 'shop.done';
}

const zongji = new ZongJi({ host: '127.0.0.1', port: Number(port), user, password });
zongji.on('error', (error) => {
  console.error(error.message ?? error);
  process.exit(1);
});
zongji.on('binlog', (event) => {
  const type = event.getTypeName();
  const of = event.tableMap?.[event.tableId];
  const table = of && `${of.parentSchema}.${of.tableName}`;
  if (type === 'WriteRows') {
    event.rows.forEach((each) => row(table, 'insert', [each]));
  } else if (type === 'DeleteRows') {
    event.rows.forEach((each) => row(table, 'delete', [each]));
  } else if (type === 'UpdateRows') {
    event.rows.forEach((each) => row(table, 'update', [each.before, each.after]));
  } else if (type === 'Query' && DDL.test(event.query)) {
    lines.push('D\t' + event.query.split(/\s+/).join(' '));
  } else if (type === 'Xid') {
    lines.push('T');
    if (done) {
      process.stdout.write(lines.join('\n') + '\n', () => process.exit(0));
    }
  }
});
zongji.start({
  serverId: 4719,
  filename,
  position: Number(position),
  includeEvents: ['tablemap', 'writerows', 'updaterows', 'deleterows', 'query', 'xid', 'rotate'],
});
