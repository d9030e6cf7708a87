/** Fills the tables with the learners of a large school and their progress. */
import type { Client } from 'pg'

/** The number of lessons in each made-up course. */
const lessonCount = 20

export type SchoolSize = { learners: number; courses: number }

/**
 * All learners have the first course, half of them have each of the next two, a quarter has each of
 * the next four, and so on. Most stop somewhere, many of them at the seventh lesson.
 *
 * @param size `courses` is the number of made-up courses by `fillCatalog`, a power of two minus
 * one.
 */
export async function fillSchool(
  database: Client,
  { learners, courses }: SchoolSize,
): Promise<void> {
  const { rows: keys } = await database.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  // Foreign keys are checked once at the end, for all rows together.
  for (const { table, name } of keys) {
    await database.query(`alter table ${table} drop constraint "${name}"`)
  }

  const rounds = Math.log2(courses + 1)
  for (const statement of createStatements(learners, rounds)) {
    await database.query(statement)
  }

  for (const { table, name, definition } of keys) {
    await database.query(`alter table ${table} add constraint "${name}" ${definition}`)
  }

  await database.query('vacuum analyze')
}

const sampleId = (number: string) => `'sample-' || lpad((${number})::text, 7, '0')`
const personId = (number: string) => `'person-' || lpad((${number})::text, 6, '0')`
const lessonId = (number: string) => `'lesson-' || lpad((${number})::text, 2, '0')`
const oneOf = (...texts: string[]) =>
  `(array['${texts.join("','")}'])[1 + floor(random() * ${texts.length})]`
const ago = (days: number) => `now() - random() ^ 1.5 * interval '${days} days'`
const isFinished = `completed_at is not null and course_id like 'sample-%'`

const createStatements = (learners: number, rounds: number): string[] => [
  'select setseed(0.5)',
  `insert into users (id, name, first_name, last_name, email, email_verified, banned, created_at, last_login_at)
   select id, first || ' ' || last, first, last, lower(first || '.' || last || n || '@' || host), random() < 0.9, random() < 0.01,
     ${ago(900)}, case when random() < 0.95 then ${ago(200)} end
   from (select n, ${personId('n')} as id, ${oneOf('Ada', 'Grace', 'Mary', 'Linus', 'José', 'Zoë', 'Wei', 'Amina', 'Олена', 'Jun')} as first,
     ${oneOf('Byron', 'Hopper', 'Shelley', 'Okafor', 'García', 'Nguyễn', 'Müller', 'Kowalska')} || '-' || substr(md5(n::text), 1, 5) as last,
     ${oneOf('school.example', 'mail.example', 'company.example')} as host from generate_series(1, ${learners}) n) made`,

  `insert into course_sections (course_id, id, position, title, lectures, duration_minutes)
   select id, 'section', 1, 'All lessons', ${lessonCount}, 100 from courses where id like 'sample-%'`,
  `insert into course_lessons (course_id, id, section_id, position, title, kind, duration_seconds, preview, questions)
   select c.id, ${lessonId('n')}, 'section', n, 'Lesson ' || n, case when n % 5 = 0 then 'quiz' else 'article' end, 300, false,
     case when n % 5 = 0 then (select jsonb_agg(jsonb_build_object('question', 'Question ' || n || '.' || q, 'answers',
       jsonb_build_array('Yes', 'No'), 'correct', 0, 'explanation', 'So it is.')) from generate_series(1, 5) q) end
   from courses c, generate_series(1, ${lessonCount}) n where c.id like 'sample-%'`,

  `insert into enrollments (uid, course_id, enrolled_at, last_accessed_at)
   select ${personId('n')}, ${sampleId(`2 ^ r + mod(n, (2 ^ r)::int)`)}, at, least(now(), at + random() * interval '60 days')
   from (select n, r, ${ago(700)} as at from generate_series(1, ${learners}) n, generate_series(0, ${rounds - 1}) r) made`,
  `create temporary table reached as select uid, course_id, enrolled_at,
     case when random() < 0.2 then 7 else least(${lessonCount}, floor(random() * 23))::int end as lessons
   from enrollments where course_id like 'sample-%'`,
  `insert into lesson_progress (uid, course_id, lesson_id, watched_ms, position_ms, position_at, read_to_end, earned_at)
   select uid, course_id, ${lessonId('n')}, '{[0,290000)}', 290000, at, true, case when n < lessons or random() < 0.8 then at end
   from (select uid, course_id, n, lessons, least(now(), enrolled_at + n * interval '2 days') as at
     from reached, generate_series(1, lessons) n) made order by uid, course_id, n`,
  `update enrollments e set completed_at = least(now(), e.enrolled_at + interval '40 days')
   from reached r where (r.uid, r.course_id) = (e.uid, e.course_id) and r.lessons = ${lessonCount}`,
  `insert into study_days (uid, day, studied) select distinct on (uid, day) uid, day, tstzmultirange(tstzrange(day, day + interval '20 minutes'))
   from (select ${personId('n')} as uid, (${ago(400)})::date as day from generate_series(1, ${learners}) n, generate_series(1, 20)) made`,
  `insert into practice_cards (uid, course_id, question_id, lesson_id, stability, difficulty, seen_at, seen_on, due_on)
   select uid, course_id, left(encode(sha256(convert_to('Question ' || n || '.' || q, 'UTF8')), 'hex'), 12), ${lessonId('n')}, 3, 5,
     now(), current_date, current_date + 3
   from reached, unnest(array[5, 10, 15]) n, generate_series(1, 5) q where n <= lessons and random() < 0.1 + q * 0.05`,

  `insert into exam_attempts (uid, id, course_id, title, started_at, deadline_at, submitted_at, score, max_score)
   select uid, 'attempt-' || course_id || '-' || n, course_id, 'Exam', completed_at, completed_at, completed_at,
     floor(random() * 11), 10 from enrollments, generate_series(1, 2) n where ${isFinished}`,
  `create temporary table earned as select row_number() over () as n, uid, course_id, completed_at from enrollments e
   where ${isFinished} and exists (select from exam_attempts a where (a.uid, a.course_id) = (e.uid, e.course_id) and a.passed)`,
  `insert into certificate_register (id, course_id, course_title, lessons, material_seconds, exam_score, exam_max_score, issued_at,
     status_list, status_index) select 'certificate-' || n, course_id, 'A course', ${lessonCount}, 6000, 8, 10, completed_at,
     2 + n / 131072, n % 131072 from earned`,
  `insert into certificates (uid, course_id, id, issued_at, learner_name)
   select uid, course_id, 'certificate-' || n, completed_at, 'Ada Byron' from earned`,

  `insert into reviews (uid, course_id, id, rating, comment, created_at, updated_at, hidden_at)
   select uid, course_id, 'review-' || n, 1 + floor(5 * sqrt(random())), repeat('Clear and calm. ', 1 + (10 * random())::int), at, at,
     case when random() < 0.02 then now() end
   from (select row_number() over () as n, uid, course_id, ${ago(700)} as at from reached where random() < 0.1) made`,

  `insert into orders (id, uid, course_id, course_title, state, currency, list_minor, total_minor, buyer, created_at, paid_at)
   select upper(substr(md5(uid || course_id), 1, 10)), uid, e.course_id, c.title, state, 'USD', 4900, 4900,
     '{"name":"Ada Byron","email":"ada@school.example"}', enrolled_at, case when state <> 'canceled' then enrolled_at end
   from (select *, ${oneOf('paid', 'paid', 'paid', 'paid', 'paid', 'refunded', 'canceled')} as state from enrollments
     where course_id like 'sample-%' and random() < 0.2) e join courses c on c.id = e.course_id on conflict do nothing`,
  `insert into payments (id, order_id, attempt, provider, state, amount_minor, created_at, expires_at, settled_at)
   select 'pay-' || id, id, 1, 'transfer', case when state = 'canceled' then 'expired' else 'succeeded' end, 4900, created_at,
     created_at, created_at from orders`,
  `insert into refunds (id, order_id, payment_id, state, amount_minor, reason, created_at, settled_at)
   select 'back-' || id, id, 'pay-' || id, 'succeeded', 4900, 'bench', least(now(), created_at + interval '9 days'),
     least(now(), created_at + interval '9 days') from orders where state = 'refunded'`,
  `insert into ledger (id, order_id, kind, amount_minor, currency, at)
   select id, order_id, 'charge', 4900, 'USD', created_at from payments where state = 'succeeded'
   union all select id, order_id, 'refund', -4900, 'USD', created_at from refunds`,
  `insert into receipts (number, order_id, ledger_id, document, issued_at)
   select row_number() over (order by at), order_id, id, jsonb_build_object('kind', case kind when 'charge' then 'receipt' else 'credit note' end,
     'orderId', order_id, 'totalMinor', amount_minor, 'currency', currency, 'taxMinor', 0, 'taxBasisPoints', 0,
     'buyer', jsonb_build_object('name', 'Ada Byron')), at from ledger`,
  `insert into receipt_counter (id, last) select 1, count(*) from receipts
   on conflict (id) do update set last = excluded.last`,
  `insert into refund_requests (id, order_id, uid, kind, state, reason, stated_at)
   select 'asked-' || id, id, uid, 'refund', ${oneOf('asked', 'declined', 'declined')}, 'It was not what I looked for.', created_at
   from orders where state = 'paid' and random() < 0.02`,

  `insert into coupons (code, name, percent, max_uses, created_at)
   select upper(substr(md5(n::text), 1, 12)), 'Class ' || n / 500, 20, 1, now() - n / 500 * interval '1 day'
   from generate_series(1, ${learners / 5}) n`,
  `update orders o set coupon_code = c.code from (select code, row_number() over (order by code) as n from coupons) c,
     (select id, row_number() over (order by id) as n from orders where state = 'paid') p where o.id = p.id and c.n = p.n`,
  `with given as (update orders set is_gift = true where id in (select id from orders where state = 'paid' and coupon_code is null limit ${learners / 20})
     returning id, uid, created_at)
   insert into gifts (order_id, uid, code, recipient_email, sender_name, created_at)
   select id, uid, upper(substr(md5(id), 1, 16)), 'zoe@school.example', 'Ada', created_at from given`,
  `insert into review_reports (uid, review_id, reason) select ${personId(`1 + floor(random() * ${learners})`)}, id, 'spam'
   from reviews where random() < 0.005 on conflict do nothing`,

  `insert into operator_acts (id, at, by, act, subject, arguments, outcome)
   select 'act-' || n, ${ago(700)}, ${oneOf('bench-0', 'bench-1', 'ops')}, ${oneOf('learner open', 'learner disable', 'orders refund', 'review hide')},
     ${personId(`1 + floor(${learners} * random() ^ 2)`)}, '{}', 'Done.' from generate_series(1, ${learners * 5}) n`,
  `insert into sessions (id, token, user_id, expires_at, user_agent)
   select 'session-' || n, 'session-' || n, ${personId(`1 + floor(random() * ${learners})`)}, now() + interval '9 days',
     'Mozilla/5.0 (Macintosh) Firefox/140.0' from generate_series(1, ${learners}) n`,
  `insert into security_events (uid, kind, at, id, device) select ${personId(`1 + floor(random() * ${learners})`)}, 'signed-in',
     ${ago(180)}, 'event-' || n, 'Firefox on macOS' from generate_series(1, ${learners * 3}) n`,
  `insert into outbox (id, uid, kind, created_at, due_at, give_up_at, failed_at, reason)
   select 'mail-' || n, ${personId('n')}, 'invitation', now(), now() + interval '9 days', now() + interval '12 days',
     case when n % 10 = 0 then now() end, case when n % 10 = 0 then 'No such mailbox.' end
   from generate_series(1, ${Math.ceil(learners / 10)}) n`,
]
