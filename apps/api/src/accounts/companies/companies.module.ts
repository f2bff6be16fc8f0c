import { Module } from '@nestjs/common';
import { ConfigurePipelinesEndpoint, ConfigurePipelinesHandler } from './configure-pipelines.command.js';
import { GetCompanyEndpoint, GetCompanyHandler } from './get-company.query.js';

@Module({
  controllers: [GetCompanyEndpoint, ConfigurePipelinesEndpoint],
  providers: [GetCompanyHandler, ConfigurePipelinesHandler],
})
export class CompaniesModule {}
