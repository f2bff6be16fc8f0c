import { Module } from '@nestjs/common';
import { CreateCapEndpoint, CreateCapHandler } from './create-cap.command.js';
import { ListCapsEndpoint, ListCapsHandler } from './list-caps.query.js';
import { RemoveCapEndpoint, RemoveCapHandler } from './remove-cap.command.js';
import { ReplaceCapEndpoint, ReplaceCapHandler } from './replace-cap.command.js';

@Module({
  controllers: [ListCapsEndpoint, CreateCapEndpoint, ReplaceCapEndpoint, RemoveCapEndpoint],
  providers: [ListCapsHandler, CreateCapHandler, ReplaceCapHandler, RemoveCapHandler],
})
export class CapsModule {}
