import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { CreateCapHandler } from './create-cap.command.js';
import { ListCapsHandler } from './list-caps.query.js';
import { RemoveCapHandler } from './remove-cap.command.js';
import { ReplaceCapHandler } from './replace-cap.command.js';

@Module(endpointsOf(ListCapsHandler, CreateCapHandler, ReplaceCapHandler, RemoveCapHandler))
export class CapsModule {}
