import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

/**
 * Imports point down only: routes -> features -> ui and server. The floors are the folders
 * themselves.
 */
const allowedFolders: Record<string, readonly string[]> = {
  routes: ['viewer', 'features', 'outbox', 'ui', 'server'],
  cli: ['content-hooks.server', 'features', 'ui', 'server'],
  features: ['outbox', 'ui', 'server'],
  outbox: [],
  ui: [],
  server: [],
}

/** A feature uses those before it, never one after it. A new feature gets its place here. */
const features = [
  'school',
  'accounts',
  'staff',
  'courses',
  'reviews',
  'catalog',
  'enrollment',
  'learning',
  'exams',
  'achievements',
  'certificates',
  'orders',
  'profile',
  'home',
  'desk',
]

/**
 * The schema names the types of JSON columns, which belong to features. These imports are of types
 * only. None is added.
 */
const knownExceptions = [
  'server/database/schema/catalog.ts -> features/courses/content/course-file.server',
  'server/database/schema/catalog.ts -> features/courses/content/course-folder.server',
  'server/database/schema/catalog.ts -> features/courses/content/download-files.server',
  'server/database/schema/exams.ts -> features/courses/content/exam-file.server',
  'server/database/schema/catalog.ts -> features/courses/lessons/lesson-format.server',
  'server/database/schema/catalog.ts -> features/courses/lessons/lesson-kinds',
]

type Import = { from: string; to: string }

/** Returns what is wrong with an import between two files below `app/`, or null. */
function findImportProblem({ from, to }: Import): string | null {
  const [fromFloor = '', fromPart = ''] = from.split('/')
  const [toFloor = '', toPart = ''] = to.split('/')
  const allowedTargets = allowedFolders[fromFloor]
  if (!allowedTargets) {
    return null
  }

  if (
    toFloor === 'server' &&
    fromFloor !== 'server' &&
    !isServerOnly(from) &&
    !(fromFloor === 'routes' && isServerOnly(to))
  ) {
    return `${from} reaches the browser and must not import ${to}`
  }

  const isAllowed =
    fromFloor === 'features' && toFloor === 'features'
      ? features.indexOf(fromPart) >= features.indexOf(toPart)
      : fromFloor === toFloor || allowedTargets.includes(toFloor)

  return isAllowed ? null : `${from} must not import ${to}`
}

/**
 * A route's browser code loses its imports of such files in the build; a page of a feature has none
 * to lose.
 */
const isServerOnly = (file: string) => /\.server(\.|$)/.test(file)

function listImports(file: string): Import[] {
  const source = readFileSync(path.join('app', file), 'utf8')
  const specifiers = [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    ([, specifier]) => specifier ?? '',
  )

  return specifiers
    .filter((specifier) => /^(\.|~\/)/.test(specifier) && !specifier.endsWith('?raw'))
    .map((specifier) => ({
      from: file,
      to: specifier.startsWith('~/')
        ? specifier.slice(2)
        : path.posix.join(path.posix.dirname(file), specifier),
    }))
}

const files = readdirSync('app', { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.tsx?$/.test(file),
)
const imports = files.filter((file) => !file.includes('.test.')).flatMap(listImports)

describe('import floors', () => {
  it('reads the imports of the whole application', () => {
    expect(imports.length).toBeGreaterThan(20)
  })

  it('lets every import point down only, and every feature use only those before it', () => {
    const checked = imports.filter(({ from, to }) => !knownExceptions.includes(`${from} -> ${to}`))
    expect(checked.map(findImportProblem).filter(Boolean)).toEqual([])
  })

  it('knows the place of every feature', () => {
    const unknown = readdirSync('app/features').filter((folder) => !features.includes(folder))
    expect(unknown).toEqual([])
  })

  it.each([
    { from: 'features/accounts/login-form.tsx', to: 'features/exams/grade' },
    { from: 'features/accounts/login-form.tsx', to: 'routes/login' },
    { from: 'ui/button.tsx', to: 'features/accounts/auth-provider' },
    { from: 'ui/button.tsx', to: 'server/env.server' },
    { from: 'outbox/outbox.ts', to: 'features/exams/grade' },
    { from: 'server/http.server.ts', to: 'ui/button' },
    { from: 'features/accounts/session/session-menu.tsx', to: 'server/env.server' },
    { from: 'routes/accounts/login.tsx', to: 'server/database/schema' },
    { from: 'features/learning/progress/streak.ts', to: 'features/achievements/achievements' },
    { from: 'features/learning/lessons/lesson-page.tsx', to: 'features/profile/profile-stats' },
    {
      from: 'features/exams/grade.ts',
      to: 'features/certificates/rewards.server',
    },
  ])('reports $from importing $to', (wrong) => {
    expect(findImportProblem(wrong)).not.toBeNull()
  })
})
