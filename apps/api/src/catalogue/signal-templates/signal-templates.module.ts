import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { GetSignalTemplate } from './get-signal-template.query.js';
import { ListSignalTemplates } from './list-signal-templates.query.js';

@Module(endpointsOf(ListSignalTemplates, GetSignalTemplate))
export class SignalTemplatesModule {}
