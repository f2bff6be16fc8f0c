import { MongoServerError, type Db } from 'mongodb';

const NO_SUCH_COMMAND = 59;

/** The server's time in milliseconds since 1970: one clock for all machines that share the database. */
export async function serverTimeMs(db: Db): Promise<number> {
  const { localTime } = await greeting(db);
  if (!(localTime instanceof Date)) throw new Error('the server does not report its time');
  return localTime.getTime();
}

async function greeting(db: Db): Promise<{ readonly localTime?: unknown }> {
  try {
    return await db.command({ hello: 1 });
  } catch (error) {
    // The name of the command before MongoDB 4.4.2; every later version still accepts it.
    if (error instanceof MongoServerError && error.code === NO_SUCH_COMMAND)
      return db.command({ isMaster: 1 });
    throw error;
  }
}
