import { Module } from '@nestjs/common';
import { ChangeAgentEndpoint, ChangeAgentHandler } from './change-agent.command.js';
import { CreateAgentEndpoint, CreateAgentHandler } from './create-agent.command.js';
import { DeleteAgentEndpoint, DeleteAgentHandler } from './delete-agent.command.js';
import { GetAgentEndpoint, GetAgentHandler } from './get-agent.query.js';
import { ListAgentsEndpoint, ListAgentsHandler } from './list-agents.query.js';

@Module({
  controllers: [
    CreateAgentEndpoint,
    ListAgentsEndpoint,
    GetAgentEndpoint,
    ChangeAgentEndpoint,
    DeleteAgentEndpoint,
  ],
  providers: [CreateAgentHandler, ListAgentsHandler, GetAgentHandler, ChangeAgentHandler, DeleteAgentHandler],
})
export class AgentsModule {}
