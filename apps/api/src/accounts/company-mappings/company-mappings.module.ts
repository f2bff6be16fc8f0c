import { Module } from '@nestjs/common';
import {
  EnrichCompanyMappingEndpoint,
  EnrichCompanyMappingHandler,
} from './enrich-company-mapping.command.js';
import { GetCompanyMappingEndpoint, GetCompanyMappingHandler } from './get-company-mapping.query.js';
import { GetMappingStageEndpoint, GetMappingStageHandler } from './get-mapping-stage.query.js';
import { ListCompanyMappingsEndpoint, ListCompanyMappingsHandler } from './list-company-mappings.query.js';

@Module({
  controllers: [
    EnrichCompanyMappingEndpoint,
    GetMappingStageEndpoint,
    ListCompanyMappingsEndpoint,
    GetCompanyMappingEndpoint,
  ],
  providers: [
    EnrichCompanyMappingHandler,
    GetMappingStageHandler,
    ListCompanyMappingsHandler,
    GetCompanyMappingHandler,
  ],
})
export class CompanyMappingsModule {}
