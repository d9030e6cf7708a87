import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { courses } from '~/server/database/schema'
import { lockForStart, tryLock } from '~/server/database/start-lock.server'
import { inParts } from '~/server/in-parts'
import { catalogue, recordPublicChange } from '~/server/product-state.server'
import { featuredCourse } from '../featured-course'
import { shownRating } from '../review-rating.server'
import { IndexBuilder, type IndexedCourse, indexFormat } from './index-builder'

type Segment = 'content' | 'sample'

/** The name of a segment in the database; a program of another format has its own. */
const nameOf = (segment: Segment) => `${segment}/${indexFormat}`
const content = nameOf('content')
/** Longer than any upgrade keeps two programs side by side. */
const otherFormatsStayHours = 24

const coursesAtOnce = 1_000
const rowsAtOnce = 2_000

/**
 * Builds the index of the content's courses anew, as a part of what changes them: of the catalogue and of the course that
 * `/OneCourse` shows, drafts left out.
 */
export async function indexContent(transaction: Pick<Statements, 'execute'>): Promise<void> {
  // Locks the row before anything is read: a rating that changes meanwhile marks the new index as outdated.
  await transaction.execute(sql`update search_segments set outdated = false where segment = ${content}`)
  const builder = new IndexBuilder()
  for await (const course of listContentCourses(transaction)) builder.add(course)
  await storeSegment(transaction, 'content', builder)
}

/** Builds the index where this format of it is missing; others go once no program can need them any more. */
export async function requireIndex(db: Database): Promise<void> {
  if ((await isCurrent(db)) && (await listOldFormats(db)).length === 0) return
  await db.transaction(async (transaction) => {
    await lockForStart(transaction, 'content')
    const old = await listOldFormats(transaction)
    // What the old program was told of a rating, only its own format knows.
    if (old.length > 0 || !(await isCurrent(transaction))) await indexContent(transaction)
    for (const name of old) await removeRows(transaction, name)
  })
}

async function isCurrent(db: Pick<Statements, 'execute'>): Promise<boolean> {
  return (await db.execute(sql`select from search_segments where segment = ${content}`)).rows.length > 0
}

async function listOldFormats(db: Pick<Statements, 'execute'>): Promise<string[]> {
  const { rows } = await db.execute<{ segment: string }>(sql`
    select segment from search_segments where format <> ${indexFormat} and exists (
      select from search_segments own where own.segment = ${content}
        and own.first_built_at < now() - make_interval(hours => ${otherFormatsStayHours}))`)
  return rows.map(({ segment }) => segment)
}

/** Ratings have changed, by which lists are narrowed down and ordered: the index is built anew within a minute. */
export async function markIndexOutdated(db: Pick<Statements, 'execute'>): Promise<void> {
  await db.execute(sql`update search_segments set outdated = true where segment like 'content%' and not outdated`)
}

/** Builds the index anew if it is outdated and nobody is changing the content. @returns whether it did. */
export async function renewIndex(db: Database): Promise<boolean> {
  const isOutdated = async (asked: Pick<Statements, 'execute'>) =>
    (await asked.execute(sql`select from search_segments where segment = ${content} and outdated`)).rows.length > 0
  if (!(await isOutdated(db))) return false
  return db.transaction(async (transaction) => {
    if (!(await tryLock(transaction, 'content'))) return false
    const outdated = await isOutdated(transaction)
    if (outdated) await indexContent(transaction)
    if (outdated) await recordPublicChange(transaction, [catalogue])
    return outdated
  })
}

async function* listContentCourses(db: Pick<Statements, 'execute'>): AsyncGenerator<IndexedCourse> {
  for (let students = 2 ** 31 - 1, after = ''; ; ) {
    const { rows } = await db.execute<IndexedCourse>(sql`
      select id, title, summary, instructor_name as "instructorName", subtitle, skills, category, level, language,
        ${shownRating}::float8 as rating, duration_hours::float8 as "durationHours", price_cents as "priceCents", students,
        last_updated::text as "lastUpdated", in_catalogue as "inCatalogue", array(
          select l.title from course_lessons l where l.course_id = courses.id and not l.retired order by l.position
        ) as "lessonTitles"
      from ${courses}
      where published and not sample and (in_catalogue or id = ${featuredCourse})
        and (students < ${students} or students = ${students} and id > ${after})
      order by students desc, id limit ${coursesAtOnce}`)
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    ;({ students, id: after } = last)
  }
}

/** Replaces a segment of the index by what was built. */
export async function storeSegment(
  transaction: Pick<Statements, 'execute'>,
  segment: Segment,
  builder: IndexBuilder,
): Promise<void> {
  const name = nameOf(segment)
  const { ids, words, options } = builder
  const version = createHash('sha256').update([name, words, options].join('\0'))
  await removeRows(transaction, name, ['search_places', 'search_sets'])
  for (let from = 0; from < ids.length; from += rowsAtOnce) {
    const some = ids.slice(from, from + rowsAtOnce)
    version.update(JSON.stringify(some))
    await transaction.execute(sql`
      insert into search_places (segment, place, course_id)
      select ${name}, ${from}::int + number - 1, id from unnest(${sql.param(some)}::text[]) with ordinality as u(id, number)`)
  }
  for (const sets of inParts(builder.sets(), ({ members }) => members.length + bytesOfSet, bytesAtOnce)) {
    for (const { kind, name, members } of sets)
      version.update(JSON.stringify([kind, name, members.length])).update(members)
    await transaction.execute(sql`
      insert into search_sets (segment, kind, name, members)
      select ${name}, kind, name, decode(members, 'hex') from unnest(
        ${sql.param(sets.map(({ kind }) => kind))}::text[], ${sql.param(sets.map(({ name }) => name))}::text[],
        ${sql.param(sets.map(({ members }) => members.toString('hex')))}::text[]) as u(kind, name, members)`)
  }
  await transaction.execute(sql`
    insert into search_segments (segment, version, format, courses, words, options)
    values (${name}, ${version.digest('base64url')}, ${indexFormat}, ${ids.length}, ${words}, ${options})
    on conflict (segment) do update set version = excluded.version, format = excluded.format,
      courses = excluded.courses, words = excluded.words, options = excluded.options, built_at = now()`)
}

/** In every format that there is. */
export async function removeSegment(transaction: Pick<Statements, 'execute'>, segment: Segment): Promise<void> {
  const { rows: formats } = await transaction.execute<{ segment: string }>(
    sql`select segment from search_segments where split_part(segment, '/', 1) = ${segment}`,
  )
  for (const { segment: name } of formats) await removeRows(transaction, name)
}

/** In parts: a database that is silent for long counts as gone. */
async function removeRows(
  transaction: Pick<Statements, 'execute'>,
  name: string,
  tables: readonly string[] = ['search_segments', 'search_places', 'search_sets'],
): Promise<void> {
  for (const table of tables.map((name) => sql.identifier(name))) {
    for (let removed = 1; removed > 0; ) {
      const { rows } = await transaction.execute(sql`
        delete from ${table} where ctid = any(array(
          select ctid from ${table} where segment = ${name} limit ${rowsRemovedAtOnce}::int))
        returning 1`)
      removed = rows.length
    }
  }
}

const rowsRemovedAtOnce = 50_000
const bytesAtOnce = 8 * 1024 * 1024
/** What a set costs besides its members. */
const bytesOfSet = 4 * 1024
