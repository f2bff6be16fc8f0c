import { Module } from '@nestjs/common';
import { ChangeOldestPersonaEndpoint } from './change-oldest-persona.command.js';
import { ChangePersona, ChangePersonaHandler } from './change-persona.command.js';
import { CreatePersona, CreatePersonaHandler } from './create-persona.command.js';
import { GetOldestPersona, GetOldestPersonaHandler } from './get-oldest-persona.query.js';
import { GetPersona, GetPersonaHandler } from './get-persona.query.js';
import { ListPersonas, ListPersonasHandler, ListPersonasV3 } from './list-personas.query.js';
import { UpsertPersonaEndpoint, UpsertPersonaHandler } from './upsert-persona.command.js';

@Module({
  controllers: [
    CreatePersona,
    ListPersonas,
    GetPersona,
    ChangePersona,
    GetOldestPersona,
    ChangeOldestPersonaEndpoint,
    ListPersonasV3,
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
