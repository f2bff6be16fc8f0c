import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ConfigurePipelinesEndpoint, ConfigurePipelinesHandler } from './configure-pipelines.command.js';
import { GetCompanyEndpoint, GetCompanyHandler } from './get-company.query.js';

@Module({
  imports: [CqrsModule],
  controllers: [GetCompanyEndpoint, ConfigurePipelinesEndpoint],
  providers: [GetCompanyHandler, ConfigurePipelinesHandler],
})
export class CompaniesModule {}
