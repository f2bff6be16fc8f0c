import { Module } from '@nestjs/common';
import { CreateAgentEndpoint, CreateAgentHandler } from './create-agent.command.js';
import { GetAgentEndpoint, GetAgentHandler } from './get-agent.query.js';
import { ListAgentsEndpoint, ListAgentsHandler } from './list-agents.query.js';

@Module({
  controllers: [CreateAgentEndpoint, ListAgentsEndpoint, GetAgentEndpoint],
  providers: [CreateAgentHandler, ListAgentsHandler, GetAgentHandler],
})
export class AgentsModule {}
