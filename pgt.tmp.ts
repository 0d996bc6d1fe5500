import pg from 'pg';
import { startPostgres } from './test/support/store-postgres.ts';
import { connectDatabase } from './src/database/connect.ts';
import { silentLogger } from './src/log.ts';
const s = await startPostgres();
const url = await s.createDatabase();
await (await connectDatabase({url, logger: silentLogger})).close();
const tpl = url.split('/').at(-1)!;
let t=performance.now();
const c = new pg.Client(url.replace(tpl,'postgres')); await c.connect(); let n=0;
for (const strat of ['file_copy','file_copy','file_copy','wal_log','file_copy']) { t=performance.now(); for (let k=0;k<10;k++) await c.query(`create database w${n++} template ${tpl} strategy ${strat}`); console.log(strat, (performance.now()-t)/10); }
await c.end(); await s.close();
