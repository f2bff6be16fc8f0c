import { Module } from '@nestjs/common';
import { GetSignalTemplate, GetSignalTemplateHandler } from './get-signal-template.query.js';
import { ListSignalTemplates, ListSignalTemplatesHandler } from './list-signal-templates.query.js';

@Module({
  controllers: [ListSignalTemplates, GetSignalTemplate],
  providers: [ListSignalTemplatesHandler, GetSignalTemplateHandler],
})
export class SignalTemplatesModule {}
