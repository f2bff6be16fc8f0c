import { Module } from '@nestjs/common';
import { ChangeOldestPersonaEndpoint } from './change-oldest-persona.command.js';
import { ChangePersonaEndpoint, ChangePersonaHandler } from './change-persona.command.js';
import { CreatePersonaEndpoint, CreatePersonaHandler } from './create-persona.command.js';
import { GetOldestPersonaEndpoint, GetOldestPersonaHandler } from './get-oldest-persona.query.js';
import { GetPersonaEndpoint, GetPersonaHandler } from './get-persona.query.js';
import { ListPersonasEndpoint, ListPersonasHandler, ListPersonasV3Endpoint } from './list-personas.query.js';
import { UpsertPersonaEndpoint, UpsertPersonaHandler } from './upsert-persona.command.js';

@Module({
  controllers: [
    CreatePersonaEndpoint,
    ListPersonasEndpoint,
    GetPersonaEndpoint,
    ChangePersonaEndpoint,
    GetOldestPersonaEndpoint,
    ChangeOldestPersonaEndpoint,
    ListPersonasV3Endpoint,
    UpsertPersonaEndpoint,
  ],
  providers: [
    CreatePersonaHandler,
    ListPersonasHandler,
    GetPersonaHandler,
    ChangePersonaHandler,
    GetOldestPersonaHandler,
    UpsertPersonaHandler,
  ],
})
export class PersonasModule {}
