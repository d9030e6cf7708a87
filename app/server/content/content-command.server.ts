import { mkdirSync, writeFileSync } from 'node:fs'
import { env } from '../env.server'
import { readContent } from './content-files.server'
import { contentJsonSchemas } from './content-json-schemas.server'

/**
 * `npm run content check`: every problem by file and line, without starting anything.
 * `npm run content schemas`: writes the JSON Schemas that editors use.
 */
const commands: Record<string, () => Promise<void>> = { check, schemas: writeSchemas }
const name = process.argv[2] ?? 'check'
const command = commands[name]
if (command) await command()
else {
  process.stderr.write(`There is no 'npm run content ${name}'; there are: ${Object.keys(commands).join(', ')}.\n`)
  process.exitCode = 1
}

async function check(): Promise<void> {
  const { content, problems } = await readContent(env.CONTENT_DIR)
  if (content) process.stdout.write(`The content is good: ${content.courses.length} courses.\n`)
  else process.stderr.write(`${problems.join('\n')}\n`)
  process.exitCode = content ? 0 : 1
}

async function writeSchemas(): Promise<void> {
  mkdirSync('docs/schemas', { recursive: true })
  for (const [file, text] of Object.entries(contentJsonSchemas())) {
    writeFileSync(file, text)
    process.stdout.write(`${file}\n`)
  }
}
