import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { EnrichCompanyMappingHandler } from './enrich-company-mapping.command.js';
import { GetCompanyMappingHandler } from './get-company-mapping.query.js';
import { GetMappingStageHandler } from './get-mapping-stage.query.js';
import { ListCompanyMappingsHandler } from './list-company-mappings.query.js';

@Module(
  endpointsOf(
    EnrichCompanyMappingHandler,
    GetMappingStageHandler,
    ListCompanyMappingsHandler,
    GetCompanyMappingHandler,
  ),
)
export class CompanyMappingsModule {}
