import { Module } from '@nestjs/common';
import { GetSignalTemplateEndpoint, GetSignalTemplateHandler } from './get-signal-template.query.js';
import { ListSignalTemplatesEndpoint, ListSignalTemplatesHandler } from './list-signal-templates.query.js';

@Module({
  controllers: [ListSignalTemplatesEndpoint, GetSignalTemplateEndpoint],
  providers: [ListSignalTemplatesHandler, GetSignalTemplateHandler],
})
export class SignalTemplatesModule {}
