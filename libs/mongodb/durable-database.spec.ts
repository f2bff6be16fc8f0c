import { MongoClient } from 'mongodb';
import { durableDatabase } from './open-mongo-database.js';

const STRINGS = ['', '?journal=false', '?w=1&journal=false', '?w=0', '?w=1'];

describe('the write concern of the stores on MongoDB', () => {
  for (const options of STRINGS) {
    for (const kind of ['standalone', 'replica set'] as const) {
      it(`is the journal of a majority on a ${kind} with "${options}" in the connection string`, () => {
        const db = durableDatabase(new MongoClient(`mongodb://127.0.0.1:1/views${options}`), kind);
        expect(db.collection('documents').writeConcern).toMatchObject({ w: 'majority', journal: true });
      });
    }
  }

  it('keeps the time limit for a majority from the connection string', () => {
    const client = new MongoClient('mongodb://127.0.0.1:1/views?wtimeoutMS=700');
    expect(durableDatabase(client, 'replica set').writeConcern).toMatchObject({ wtimeoutMS: 700 });
  });
});
