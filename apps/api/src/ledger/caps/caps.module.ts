import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { CreateCap } from './create-cap.command.js';
import { ListCaps } from './list-caps.query.js';
import { RemoveCap } from './remove-cap.command.js';
import { ReplaceCap } from './replace-cap.command.js';

@Module(endpointsOf(ListCaps, CreateCap, ReplaceCap, RemoveCap))
export class CapsModule {}
