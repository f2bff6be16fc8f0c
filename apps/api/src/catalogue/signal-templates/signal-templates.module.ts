import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { GetSignalTemplateHandler } from './get-signal-template.query.js';
import { ListSignalTemplatesHandler } from './list-signal-templates.query.js';

@Module(endpointsOf(ListSignalTemplatesHandler, GetSignalTemplateHandler))
export class SignalTemplatesModule {}
