import { Module } from '@nestjs/common';
import { EnrichCompanyMapping, EnrichCompanyMappingHandler } from './enrich-company-mapping.command.js';
import { GetCompanyMapping, GetCompanyMappingHandler } from './get-company-mapping.query.js';
import { GetMappingStage, GetMappingStageHandler } from './get-mapping-stage.query.js';
import { ListCompanyMappings, ListCompanyMappingsHandler } from './list-company-mappings.query.js';

@Module({
  controllers: [EnrichCompanyMapping, GetMappingStage, ListCompanyMappings, GetCompanyMapping],
  providers: [
    EnrichCompanyMappingHandler,
    GetMappingStageHandler,
    ListCompanyMappingsHandler,
    GetCompanyMappingHandler,
  ],
})
export class CompanyMappingsModule {}
