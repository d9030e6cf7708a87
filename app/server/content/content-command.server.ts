import { env } from '../env.server'
import { readContent } from './content-files.server'

/** `npm run content check`: every problem by file and line, without starting anything. */
const { content, problems } = await readContent(env.CONTENT_DIR)
if (content) process.stdout.write(`The content is good: ${content.courses.length} courses.\n`)
else process.stderr.write(`${problems.join('\n')}\n`)
process.exitCode = content ? 0 : 1
