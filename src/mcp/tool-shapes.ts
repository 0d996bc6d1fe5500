import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { CommandTool } from '../features/command.ts';

export type ToolShapes = ReturnType<typeof createToolShapes>;

/**
 * Returns a function that says what assistants see of a tool. It converts the schemas of each tool to JSON Schema once: all
 * tools together take 15 ms, and each request has a server of its own, which lists them anew.
 */
export function createToolShapes() {
  // By a schema, since the features of each workspace bind the tools anew, but share their schemas.
  const shapes = new WeakMap<z.ZodObject, ReturnType<typeof shapeOf>>();
  return (tool: CommandTool) => {
    const shape = shapes.get(tool.input) ?? shapeOf(tool);
    shapes.set(tool.input, shape);
    return shape;
  };
}

const shapeOf = ({ title, description, effect, input, output }: CommandTool) => ({
  title,
  description,
  inputSchema: advertised(input.strict()),
  outputSchema: convertedOnce(output),
  annotations: {
    title,
    readOnlyHint: effect === 'reads',
    destructiveHint: effect === 'removes',
    idempotentHint: true,
    // It asks a service whose answers change.
    openWorldHint: true,
  },
  _meta: { slack: { supportsBlockKit: true } },
});

/** Only tells what the fields are: the tool itself reads them, so that errors are in its own words. */
const advertised = (schema: z.ZodObject): StandardSchemaWithJSON<unknown, unknown> => ({
  '~standard': { ...convertedOnce(schema)['~standard'], validate: (value) => ({ value }) },
});

function convertedOnce(schema: z.ZodObject): StandardSchemaWithJSON<unknown, unknown> {
  const { version, vendor, jsonSchema, validate } = schema['~standard'];
  const converted = new Map<string, Record<string, unknown>>();
  const once =
    (io: 'input' | 'output'): typeof jsonSchema.input =>
    (options) => {
      const key = `${io} ${options.target}`;
      const json = converted.get(key) ?? jsonSchema[io](options);
      converted.set(key, json);
      return json;
    };
  return {
    '~standard': { version, vendor, validate, jsonSchema: { input: once('input'), output: once('output') } },
  };
}
