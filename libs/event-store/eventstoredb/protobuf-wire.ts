/**
 * The wire format of protocol buffers (protobuf.dev/programming-guides/encoding), as much of it as the messages that
 * carry events need. Reading an event takes 0.35 and writing an append 0.25 of what the generated classes take; with
 * the readers and writers of `google-protobuf` it is 0.6 and 0.5 (docs/adr/0149).
 */
const VARINT = 0;
const EIGHT_BYTES = 1;
const DELIMITED = 2;
const FOUR_BYTES = 5;
/** Bytes of the longest varint, of the longest one that is exact in a double, and of the longest length. */
const LONGEST = 10;
const EXACT = 7;
const LONGEST_LENGTH = 5;

/** Reads a message. Throws `RangeError` if its bytes are none. */
export class WireReader {
  private at = 0;
  private end: number;
  private type = VARINT;

  constructor(private readonly message: Buffer) {
    this.end = message.length;
  }

  /** Calls with the number of each field; the call must read or skip its value. */
  eachField(take: (field: number) => void): void {
    while (this.at < this.end) {
      const tag = this.number();
      this.type = tag % 8;
      take(Math.floor(tag / 8));
    }
  }

  /** The same for the message that is the value of the present field. */
  eachFieldInside(take: (field: number) => void): void {
    const outer = this.end;
    this.end = this.endOfValue();
    this.eachField(take);
    this.end = outer;
  }

  /** The bytes of the message itself, not copied. */
  bytes(): Buffer {
    const end = this.endOfValue();
    const found = this.message.subarray(this.at, end);
    this.at = end;
    return found;
  }

  text(): string {
    const end = this.endOfValue();
    const found = this.message.toString('utf8', this.at, end);
    this.at = end;
    return found;
  }

  /** A number of 64 bits without a sign. */
  uint64(): bigint {
    this.must(VARINT);
    const start = this.at;
    let value = 0;
    for (let factor = 1; this.at - start < EXACT; factor *= 128) {
      const byte = this.byte();
      value += (byte % 128) * factor;
      if (byte < 128) return BigInt(value);
    }
    let large = BigInt(value);
    for (let shift = BigInt(7 * EXACT); this.at - start < LONGEST; shift += 7n) {
      const byte = this.byte();
      large += BigInt(byte % 128) << shift;
      if (byte < 128) return BigInt.asUintN(64, large);
    }
    throw new RangeError('a number of more than 64 bits');
  }

  skip(): void {
    if (this.type === VARINT) this.uint64();
    else if (this.type === DELIMITED) this.at = this.endOfValue();
    else if (this.type === EIGHT_BYTES) this.at = this.inMessage(this.at + 8);
    else if (this.type === FOUR_BYTES) this.at = this.inMessage(this.at + 4);
    else throw new RangeError(`a field of wire type ${this.type}`);
  }

  private must(type: number): void {
    if (this.type !== type) throw new RangeError(`a field of wire type ${this.type} instead of ${type}`);
  }

  /** Reads the length of a value and returns its end. */
  private endOfValue(): number {
    this.must(DELIMITED);
    const length = this.number();
    return this.inMessage(this.at + length);
  }

  private inMessage(place: number): number {
    if (place > this.end) throw new RangeError('a message that ends inside a field');
    return place;
  }

  /** A length or a tag: at most 32 bits. */
  private number(): number {
    let value = 0;
    for (let factor = 1, length = 0; length < LONGEST_LENGTH; factor *= 128, length += 1) {
      const byte = this.byte();
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
    throw new RangeError('a length of more than 32 bits');
  }

  private byte(): number {
    const byte = this.at < this.end ? this.message[this.at] : undefined;
    if (byte === undefined) throw new RangeError('a message that ends inside a number');
    this.at += 1;
    return byte;
  }
}

const FIRST_BYTES = 1_024;

/** Writes a message, field by field. */
export class WireWriter {
  private buffer = Buffer.allocUnsafe(FIRST_BYTES);
  private at = 0;

  /** The message so far, not copied. */
  message(): Buffer {
    return this.buffer.subarray(0, this.at);
  }

  inside(field: number, write: () => void): void {
    this.tag(field, DELIMITED);
    this.reserve(LONGEST_LENGTH);
    const place = this.at;
    const start = place + LONGEST_LENGTH;
    this.at = start;
    write();
    const end = this.at;
    this.at = place;
    this.number(end - start);
    // The length is known only now, and is mostly shorter than its place.
    this.buffer.copyWithin(this.at, start, end);
    this.at += end - start;
  }

  bytes(field: number, value: Uint8Array): void {
    this.tag(field, DELIMITED);
    this.number(value.length);
    this.reserve(value.length);
    this.buffer.set(value, this.at);
    this.at += value.length;
  }

  text(field: number, value: string): void {
    const length = Buffer.byteLength(value);
    this.tag(field, DELIMITED);
    this.number(length);
    this.reserve(length);
    this.at += this.buffer.write(value, this.at);
  }

  /** A number of 64 bits without a sign. */
  uint64(field: number, value: bigint): void {
    this.tag(field, VARINT);
    let left = value;
    for (; left > Number.MAX_SAFE_INTEGER; left >>= 7n) this.put(Number(left % 128n) + 128);
    this.number(Number(left));
  }

  private tag(field: number, type: number): void {
    this.number(field * 8 + type);
  }

  private number(value: number): void {
    let left = value;
    for (; left >= 128; left = Math.floor(left / 128)) this.put((left % 128) + 128);
    this.put(left);
  }

  private put(byte: number): void {
    this.reserve(1);
    this.buffer[this.at] = byte;
    this.at += 1;
  }

  private reserve(bytes: number): void {
    if (this.at + bytes <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(2 * this.buffer.length + bytes);
    this.buffer.copy(larger, 0, 0, this.at);
    this.buffer = larger;
  }
}
