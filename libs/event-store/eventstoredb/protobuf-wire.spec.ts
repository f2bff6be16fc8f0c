import fc from 'fast-check';
import { WireReader, WireWriter } from './protobuf-wire.js';

describe('the wire format of protocol buffers', () => {
  it('a number is read as it was written, up to 64 bits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (value) => {
        const writer = new WireWriter();
        writer.uint64(3, value);
        const found: [number, bigint][] = [];
        const reader = new WireReader(writer.message());
        reader.eachField((field) => found.push([field, reader.uint64()]));
        expect(found).toEqual([[3, value]]);
      }),
    );
  });

  it('messages inside messages have the length of what was written', () => {
    const writer = new WireWriter();
    writer.inside(1, () => {
      writer.text(2, 'x'.repeat(5_000));
      writer.inside(3, () => undefined);
    });
    writer.text(4, 'é');
    const found: unknown[] = [];
    const reader = new WireReader(writer.message());
    reader.eachField((field) => {
      if (field !== 1) return found.push([field, reader.text()]);
      return reader.eachFieldInside((inner) => found.push([inner, reader.text().length]));
    });
    expect(found).toEqual([
      [2, 5_000],
      [3, 0],
      [4, 'é'],
    ]);
  });

  it('fields of every wire type are skipped', () => {
    const fixed = Buffer.from([0x09, 1, 2, 3, 4, 5, 6, 7, 8, 0x15, 1, 2, 3, 4]);
    const writer = new WireWriter();
    writer.uint64(3, 2n ** 64n - 1n);
    writer.text(4, 'text');
    const seen: number[] = [];
    const reader = new WireReader(Buffer.concat([fixed, writer.message()]));
    reader.eachField((field) => {
      seen.push(field);
      reader.skip();
    });
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  it.each([
    ['that ends inside a number', [0x08, 0x80], 'ends inside a number'],
    ['that ends inside a field', [0x0a, 0x05, 0x61], 'ends inside a field'],
    [
      'with a field that is longer than the message around it',
      [0x0a, 0x02, 0x12, 0x05, 0, 0, 0, 0, 0],
      'ends inside',
    ],
    [
      'with a number of more than 64 bits',
      [0x08, ...new Array<number>(10).fill(0x80), 1],
      'more than 64 bits',
    ],
    ['with a group, which no message has', [0x0b], 'a field of wire type 3'],
  ])('a message %s is refused', (_, bytes, message) => {
    const reader = new WireReader(Buffer.from(bytes));
    const read = (field: number): void => {
      if (field === 1 && bytes[0] === 0x0a) reader.eachFieldInside(read);
      else reader.skip();
    };
    expect(() => reader.eachField(read)).toThrow(message);
  });

  it('any bytes are read to their end or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const reader = new WireReader(Buffer.from(bytes));
        try {
          reader.eachField(() => reader.skip());
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });
});
