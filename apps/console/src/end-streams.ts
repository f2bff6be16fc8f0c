import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { CONSOLE, type Desk } from './desk.js';

/** Ends progress streams when the process stops, because it would wait for them. */
@Injectable()
export class EndStreams implements OnModuleDestroy {
  constructor(@Inject(CONSOLE) private readonly desk: Desk) {}

  onModuleDestroy(): void {
    this.desk.endStreams();
  }
}
