import { expect, test } from 'vitest';
import { listCommands } from '../../src/app/terminal.ts';
import { createToolShapes } from '../../src/mcp/tool-shapes.ts';

const toolsOf = () => listCommands().flatMap(({ tools }) => tools);

test('the schemas of a tool are converted once, also if the features of another workspace offer it', () => {
  const shapeOf = createToolShapes();
  const schemas = () =>
    toolsOf().map((tool) => {
      const { inputSchema, outputSchema } = shapeOf(tool);
      const target = 'draft-2020-12';
      return [
        inputSchema['~standard'].jsonSchema.input({ target }),
        outputSchema['~standard'].jsonSchema.output({ target }),
      ];
    });
  const [first, second] = [schemas(), schemas()];
  expect(first.length).toBeGreaterThan(5);
  for (const [index, pair] of first.entries()) {
    expect(second[index]?.[0]).toBe(pair[0]);
    expect(second[index]?.[1]).toBe(pair[1]);
  }
});
