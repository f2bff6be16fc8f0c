import { Module } from '@nestjs/common';
import { CreateCap, CreateCapHandler } from './create-cap.command.js';
import { ListCaps, ListCapsHandler } from './list-caps.query.js';
import { RemoveCap, RemoveCapHandler } from './remove-cap.command.js';
import { ReplaceCap, ReplaceCapHandler } from './replace-cap.command.js';

@Module({
  controllers: [ListCaps, CreateCap, ReplaceCap, RemoveCap],
  providers: [ListCapsHandler, CreateCapHandler, ReplaceCapHandler, RemoveCapHandler],
})
export class CapsModule {}
