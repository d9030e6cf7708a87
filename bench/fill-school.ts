/** Fills the tables with the learners of a large school, their progress, orders and records. */
import type { Client } from 'pg'

/** The number of lessons in each generated course. */
const lessonCount = 20

export type SchoolSize = {
  learners: number
  /** The number of courses that `fillCatalog` has generated: a power of two minus one. */
  courses: number
}

/**
 * Fills the tables. All learners have the first course, half of them have each of the next two, a
 * quarter has each of the next four, and so on. Most learners stop before the end of a course, many
 * of them at the seventh lesson.
 */
export async function fillSchool(
  database: Client,
  { learners, courses }: SchoolSize,
): Promise<void> {
  const { rows: foreignKeys } = await database.query<{
    table: string
    name: string
    definition: string
  }>(
    `select
       conrelid::regclass::text as table,
       conname as name,
       pg_get_constraintdef(oid) as definition
     from pg_constraint
     where contype = 'f' and connamespace = 'public'::regnamespace`,
  )

  // Foreign keys are checked once at the end, for all rows together.
  for (const { table, name } of foreignKeys) {
    await database.query(`alter table ${table} drop constraint "${name}"`)
  }

  const coursesPerLearner = Math.log2(courses + 1)
  const statements = [
    'select setseed(0.5)',
    ...insertLearners(learners),
    ...insertLessons(),
    ...insertProgress(learners, coursesPerLearner),
    ...insertExams(),
    ...insertReviews(),
    ...insertOrders(),
    ...insertCouponsAndGifts(learners),
    ...insertRecords(learners),
  ]
  for (const statement of statements) {
    await database.query(statement)
  }

  for (const { table, name, definition } of foreignKeys) {
    await database.query(`alter table ${table} add constraint "${name}" ${definition}`)
  }

  await database.query('vacuum analyze')
}

function insertLearners(learners: number): string[] {
  const firstName = randomText(
    ...['Ada', 'Grace', 'Mary', 'Linus', 'José', 'Zoë', 'Wei', 'Amina', 'Олена', 'Jun'],
  )
  const familyName = randomText(
    ...['Byron', 'Hopper', 'Shelley', 'Okafor', 'García', 'Nguyễn', 'Müller', 'Kowalska'],
  )
  const emailHost = randomText('school.example', 'mail.example', 'company.example')

  return [
    `insert into users
       (id, name, first_name, last_name, email, email_verified, banned, created_at, last_login_at)
     select
       id,
       first || ' ' || last,
       first,
       last,
       lower(first || '.' || last || n || '@' || host),
       random() < 0.9,
       random() < 0.01,
       ${randomTime(900)},
       case when random() < 0.95 then ${randomTime(200)} end
     from (
       select
         n,
         ${personId('n')} as id,
         ${firstName} as first,
         ${familyName} || '-' || substr(md5(n::text), 1, 5) as last,
         ${emailHost} as host
       from generate_series(1, ${learners}) n
     ) learner`,
  ]
}

/** Every fifth lesson is a quiz with five questions. */
function insertLessons(): string[] {
  return [
    `insert into course_sections (course_id, id, position, title, lectures, duration_minutes)
     select id, 'section', 1, 'All lessons', ${lessonCount}, 100
     from courses
     where id like 'sample-%'`,
    `insert into course_lessons
       (course_id, id, section_id, position, title, kind, duration_seconds, preview, questions)
     select
       c.id,
       ${lessonId('n')},
       'section',
       n,
       'Lesson ' || n,
       case when n % 5 = 0 then 'quiz' else 'article' end,
       300,
       false,
       case when n % 5 = 0 then (
         select jsonb_agg(jsonb_build_object(
           'question', 'Question ' || n || '.' || q,
           'answers', jsonb_build_array('Yes', 'No'),
           'correct', 0,
           'explanation', 'So it is.'
         ))
         from generate_series(1, 5) q
       ) end
     from courses c, generate_series(1, ${lessonCount}) n
     where c.id like 'sample-%'`,
  ]
}

/**
 * Enrolls the learners. The temporary table `reached` says how far each of them came in a course.
 */
function insertProgress(learners: number, coursesPerLearner: number): string[] {
  return [
    `insert into enrollments (uid, course_id, enrolled_at, last_accessed_at)
     select
       ${personId('n')},
       ${sampleCourseId(`2 ^ r + mod(n, (2 ^ r)::int)`)},
       at,
       least(now(), at + random() * interval '60 days')
     from (
       select n, r, ${randomTime(700)} as at
       from generate_series(1, ${learners}) n, generate_series(0, ${coursesPerLearner - 1}) r
     ) enrollment`,
    `create temporary table reached as
     select
       uid,
       course_id,
       enrolled_at,
       case
         when random() < 0.2 then 7
         else least(${lessonCount}, floor(random() * 23))::int
       end as lessons
     from enrollments
     where course_id like 'sample-%'`,
    `insert into lesson_progress
       (uid, course_id, lesson_id, watched_ms, position_ms, position_at, read_to_end, earned_at)
     select
       uid,
       course_id,
       ${lessonId('n')},
       '{[0,290000)}',
       290000,
       at,
       true,
       case when n < lessons or random() < 0.8 then at end
     from (
       select
         uid,
         course_id,
         n,
         lessons,
         least(now(), enrolled_at + n * interval '2 days') as at
       from reached, generate_series(1, lessons) n
     ) lesson
     order by uid, course_id, n`,
    `update enrollments e
     set completed_at = least(now(), e.enrolled_at + interval '40 days')
     from reached r
     where (r.uid, r.course_id) = (e.uid, e.course_id) and r.lessons = ${lessonCount}`,
    `insert into study_days (uid, day, studied)
     select distinct on (uid, day)
       uid,
       day,
       tstzmultirange(tstzrange(day, day + interval '20 minutes'))
     from (
       select ${personId('n')} as uid, (${randomTime(400)})::date as day
       from generate_series(1, ${learners}) n, generate_series(1, 20)
     ) study_day`,
    `insert into practice_cards
       (uid, course_id, question_id, lesson_id, stability, difficulty, seen_at, seen_on, due_on)
     select
       uid,
       course_id,
       left(encode(sha256(convert_to('Question ' || n || '.' || q, 'UTF8')), 'hex'), 12),
       ${lessonId('n')},
       3,
       5,
       now(),
       current_date,
       current_date + 3
     from reached, unnest(array[5, 10, 15]) n, generate_series(1, 5) q
     where n <= lessons and random() < 0.1 + q * 0.05`,
  ]
}

/** Learners who have finished a course take its exam twice, and get a certificate if they pass. */
function insertExams(): string[] {
  const isFinished = `completed_at is not null and course_id like 'sample-%'`

  return [
    `insert into exam_attempts
       (uid, id, course_id, title, started_at, deadline_at, submitted_at, score, max_score)
     select
       uid,
       'attempt-' || course_id || '-' || n,
       course_id,
       'Exam',
       completed_at,
       completed_at,
       completed_at,
       floor(random() * 11),
       10
     from enrollments, generate_series(1, 2) n
     where ${isFinished}`,
    `create temporary table earned as
     select row_number() over () as n, uid, course_id, completed_at
     from enrollments e
     where ${isFinished} and exists (
       select from exam_attempts a
       where (a.uid, a.course_id) = (e.uid, e.course_id) and a.passed
     )`,
    // A status list has room for 131,072 certificates.
    `insert into certificate_register
       (id, course_id, course_title, lessons, material_seconds, exam_score, exam_max_score, issued_at,
        status_list, status_index)
     select
       'certificate-' || n,
       course_id,
       'A course',
       ${lessonCount},
       6000,
       8,
       10,
       completed_at,
       2 + n / 131072,
       n % 131072
     from earned`,
    `insert into certificates (uid, course_id, id, issued_at, learner_name)
     select uid, course_id, 'certificate-' || n, completed_at, 'Ada Byron'
     from earned`,
  ]
}

function insertReviews(): string[] {
  return [
    `insert into reviews
       (uid, course_id, id, rating, comment, created_at, updated_at, hidden_at)
     select
       uid,
       course_id,
       'review-' || n,
       1 + floor(5 * sqrt(random())),
       repeat('Clear and calm. ', 1 + (10 * random())::int),
       at,
       at,
       case when random() < 0.02 then now() end
     from (
       select row_number() over () as n, uid, course_id, ${randomTime(700)} as at
       from reached
       where random() < 0.1
     ) review`,
  ]
}

/** A fifth of the enrollments was bought. One order of seven was refunded, and one was canceled. */
function insertOrders(): string[] {
  const orderStatus = randomText('paid', 'paid', 'paid', 'paid', 'paid', 'refunded', 'canceled')

  return [
    `insert into orders
       (id, uid, course_id, course_title, state, currency, list_minor, total_minor, buyer, created_at,
        paid_at)
     select
       upper(substr(md5(uid || course_id), 1, 10)),
       uid,
       e.course_id,
       c.title,
       state,
       'USD',
       4900,
       4900,
       '{"name":"Ada Byron","email":"ada@school.example"}',
       enrolled_at,
       case when state <> 'canceled' then enrolled_at end
     from (
       select *, ${orderStatus} as state
       from enrollments
       where course_id like 'sample-%' and random() < 0.2
     ) e
     join courses c on c.id = e.course_id
     on conflict do nothing`,
    `insert into payments
       (id, order_id, attempt, provider, state, amount_minor, created_at, expires_at, settled_at)
     select
       'pay-' || id,
       id,
       1,
       'transfer',
       case when state = 'canceled' then 'expired' else 'succeeded' end,
       4900,
       created_at,
       created_at,
       created_at
     from orders`,
    `insert into refunds
       (id, order_id, payment_id, state, amount_minor, reason, created_at, settled_at)
     select
       'back-' || id,
       id,
       'pay-' || id,
       'succeeded',
       4900,
       'bench',
       least(now(), created_at + interval '9 days'),
       least(now(), created_at + interval '9 days')
     from orders
     where state = 'refunded'`,
    `insert into ledger (id, order_id, kind, amount_minor, currency, at)
     select id, order_id, 'charge', 4900, 'USD', created_at
     from payments
     where state = 'succeeded'
     union all
     select id, order_id, 'refund', -4900, 'USD', created_at
     from refunds`,
    `insert into receipts (number, order_id, ledger_id, document, issued_at)
     select
       row_number() over (order by at),
       order_id,
       id,
       jsonb_build_object(
         'kind', case kind when 'charge' then 'receipt' else 'credit note' end,
         'orderId', order_id,
         'totalMinor', amount_minor,
         'currency', currency,
         'taxMinor', 0,
         'taxBasisPoints', 0,
         'buyer', jsonb_build_object('name', 'Ada Byron')
       ),
       at
     from ledger`,
    `insert into receipt_counter (id, last)
     select 1, count(*) from receipts
     on conflict (id) do update set last = excluded.last`,
    `insert into refund_requests (id, order_id, uid, kind, state, reason, stated_at)
     select
       'asked-' || id,
       id,
       uid,
       'refund',
       ${randomText('asked', 'declined', 'declined')},
       'It was not what I looked for.',
       created_at
     from orders
     where state = 'paid' and random() < 0.02`,
  ]
}

function insertCouponsAndGifts(learners: number): string[] {
  return [
    `insert into coupons (code, name, percent, max_uses, created_at)
     select
       upper(substr(md5(n::text), 1, 12)),
       'Class ' || n / 500,
       20,
       1,
       now() - n / 500 * interval '1 day'
     from generate_series(1, ${learners / 5}) n`,
    // Each coupon is used for one paid order.
    `update orders o
     set coupon_code = c.code
     from
       (select code, row_number() over (order by code) as n from coupons) c,
       (select id, row_number() over (order by id) as n from orders where state = 'paid') p
     where o.id = p.id and c.n = p.n`,
    `with gift_orders as (
       update orders
       set is_gift = true
       where id in (
         select id from orders
         where state = 'paid' and coupon_code is null
         limit ${learners / 20}
       )
       returning id, uid, created_at
     )
     insert into gifts (order_id, uid, code, recipient_email, sender_name, created_at)
     select id, uid, upper(substr(md5(id), 1, 16)), 'zoe@school.example', 'Ada', created_at
     from gift_orders`,
  ]
}

/**
 * Inserts reports of reviews, entries of the audit, sessions, security events and queued emails.
 */
function insertRecords(learners: number): string[] {
  const randomPersonId = personId(`1 + floor(random() * ${learners})`)
  const operator = randomText('bench-0', 'bench-1', 'ops')
  const operatorAction = randomText(
    ...['learner open', 'learner disable', 'orders refund', 'review hide'],
  )

  return [
    `insert into review_reports (uid, review_id, reason)
     select ${randomPersonId}, id, 'spam'
     from reviews
     where random() < 0.005
     on conflict do nothing`,
    `insert into operator_acts (id, at, by, act, subject, arguments, outcome)
     select
       'act-' || n,
       ${randomTime(700)},
       ${operator},
       ${operatorAction},
       ${personId(`1 + floor(${learners} * random() ^ 2)`)},
       '{}',
       'Done.'
     from generate_series(1, ${learners * 5}) n`,
    `insert into sessions (id, token, user_id, expires_at, user_agent)
     select
       'session-' || n,
       'session-' || n,
       ${randomPersonId},
       now() + interval '9 days',
       'Mozilla/5.0 (Macintosh) Firefox/140.0'
     from generate_series(1, ${learners}) n`,
    `insert into security_events (uid, kind, at, id, device)
     select
       ${randomPersonId},
       'signed-in',
       ${randomTime(180)},
       'event-' || n,
       'Firefox on macOS'
     from generate_series(1, ${learners * 3}) n`,
    // Every tenth email has failed.
    `insert into outbox (id, uid, kind, created_at, due_at, give_up_at, failed_at, reason)
     select
       'mail-' || n,
       ${personId('n')},
       'invitation',
       now(),
       now() + interval '9 days',
       now() + interval '12 days',
       case when n % 10 = 0 then now() end,
       case when n % 10 = 0 then 'No such mailbox.' end
     from generate_series(1, ${Math.ceil(learners / 10)}) n`,
  ]
}

// These functions return SQL expressions. Their arguments are SQL expressions, too.

function sampleCourseId(number: string): string {
  return `'sample-' || lpad((${number})::text, 7, '0')`
}

function personId(number: string): string {
  return `'person-' || lpad((${number})::text, 6, '0')`
}

function lessonId(number: string): string {
  return `'lesson-' || lpad((${number})::text, 2, '0')`
}

/** Returns an SQL expression that picks one of the texts. */
function randomText(...texts: string[]): string {
  return `(array['${texts.join("','")}'])[1 + floor(random() * ${texts.length})]`
}

/** Returns an SQL expression for a time of the last days. Recent times are more likely. */
function randomTime(days: number): string {
  return `now() - random() ^ 1.5 * interval '${days} days'`
}
