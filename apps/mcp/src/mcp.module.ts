import { Module, type DynamicModule } from '@nestjs/common';
import { AnswerMcpMessage, MCP_DOOR } from './answer-mcp-message.command.js';
import type { McpParts } from './mcp-parts.js';

@Module({})
class McpModule {}

/** The tools for assistants at `/mcp`, on the listener of the API. Its packages are loaded with the first message. */
export const mcpDoor = (parts: McpParts): DynamicModule => ({
  module: McpModule,
  controllers: [AnswerMcpMessage],
  providers: [{ provide: MCP_DOOR, useValue: parts }],
});
