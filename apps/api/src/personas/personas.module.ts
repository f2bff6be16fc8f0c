import { Module } from '@nestjs/common';
import { ChangePersonaEndpoint, ChangePersonaHandler } from './change-persona.command.js';
import { CreatePersonaEndpoint, CreatePersonaHandler } from './create-persona.command.js';
import { GetPersonaEndpoint, GetPersonaHandler } from './get-persona.query.js';
import { ListPersonasEndpoint, ListPersonasHandler } from './list-personas.query.js';

@Module({
  controllers: [CreatePersonaEndpoint, ListPersonasEndpoint, GetPersonaEndpoint, ChangePersonaEndpoint],
  providers: [CreatePersonaHandler, ListPersonasHandler, GetPersonaHandler, ChangePersonaHandler],
})
export class PersonasModule {}
