// Run by MongoDB's image with the first start on an empty volume: the user of the service reads and writes its two
// databases and nothing else.
db.getSiblingDB('admin').createUser({
  user: 'signal_ledger',
  pwd: process.env.MONGODB_PASSWORD,
  roles: ['signal_ledger', 'signal_ledger_network'].map((name) => ({ role: 'readWrite', db: name })),
});
