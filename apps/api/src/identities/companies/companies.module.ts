import { Module } from '@nestjs/common';
import { ConfigurePipelines, ConfigurePipelinesHandler } from './configure-pipelines.command.js';
import { GetCompany, GetCompanyHandler } from './get-company.query.js';

@Module({
  controllers: [GetCompany, ConfigurePipelines],
  providers: [GetCompanyHandler, ConfigurePipelinesHandler],
})
export class CompaniesModule {}
