/** An event as a row of the table. */
export type StoredRow = readonly [
  position: number,
  stream: string,
  revision: number,
  typeId: number,
  id: string,
  data: string,
  metadata: string,
];
