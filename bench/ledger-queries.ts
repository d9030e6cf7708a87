/** The queries with which a benchmark compares the facts in the database with its ledger. */

/**
 * Returns an SQL condition for a column with the id of a learner: a benchmark has added the
 * learner.
 */
function isBenchLearner(column: string): string {
  return `${column} in (select id from users where email like '%@bench.example')`
}

/**
 * These queries return the stored facts of each kind. A row has the key of a fact and the value of
 * the fact, which is empty if it can't change.
 */
export const storedFacts = {
  account: `
    select u.email as key, '' as value
    from users u
    join identities i on i.user_id = u.id
    where u.email like 'new-%@bench.example'`,
  enrollment: `
    select concat_ws(' ', uid, course_id) as key, '' as value
    from enrollments
    where ${isBenchLearner('uid')}`,
  wish: `
    select concat_ws(' ', uid, course_id) as key, '' as value
    from wishes
    where ${isBenchLearner('uid')}`,
  vote: `
    select concat_ws(' ', uid, course_id, review_id) as key, '' as value
    from review_votes
    where ${isBenchLearner('uid')}`,
  review: `
    select concat_ws(' ', uid, course_id) as key, rating || ' ' || comment as value
    from reviews
    where ${isBenchLearner('uid')}`,
  /** The watched parts of videos. */
  film: `
    select
      concat_ws(' ', uid, lesson_id, lower(part) || '-' || upper(part)) as key,
      '' as value
    from lesson_progress, unnest(watched_ms) part
    where ${isBenchLearner('uid')}`,
  /**
   * The intervals in which learners studied. Intervals that span midnight are stored in two days.
   */
  studied: `
    select
      concat_ws(
        ' ',
        uid,
        round(extract(epoch from lower(part)) * 1000)
          || '-'
          || round(extract(epoch from upper(part)) * 1000)
      ) as key,
      '' as value
    from (
      select uid, range_agg(part) as parts
      from study_days, unnest(studied) part
      where ${isBenchLearner('uid')}
      group by uid
    ) learner, unnest(parts) part`,
  'finished lesson': `
    select concat_ws(' ', uid, lesson_id) as key, '' as value
    from lesson_progress
    where ${isBenchLearner('uid')} and mark = 'done'`,
  'quiz answer': `
    select concat_ws(' ', uid, lesson_id, unnest(answered)) as key, '' as value
    from lesson_progress
    where ${isBenchLearner('uid')}`,
  note: `
    select concat_ws(' ', uid, id) as key, body as value
    from notes
    where ${isBenchLearner('uid')}`,
  'exam answer': `
    select
      concat_ws(' ', a.uid, a.attempt_id, paper.number) as key,
      jsonb_build_array(a.revision, a.answer) as value
    from exam_answers a
    join exam_attempts e on e.uid = a.uid and e.id = a.attempt_id
    join jsonb_array_elements(e.paper) with ordinality as paper (entry, number)
      on entry->'question'->>'id' = a.question_id
    where ${isBenchLearner('a.uid')}`,
  'exam result': `
    select concat_ws(' ', uid, id) as key, '' as value
    from exam_attempts
    where ${isBenchLearner('uid')} and submitted_at is not null and score is not null`,
  location: `
    select id as key, location as value
    from users
    where ${isBenchLearner('id')} and location is not null`,
} as const

export type FactKind = keyof typeof storedFacts

/**
 * The kinds of facts that may be stored without a request of the learner: an exam is submitted when
 * its time is over.
 */
export const kindsWithExtraFacts: FactKind[] = ['exam result']

/** Each query finds records without another record that has to exist together with them. */
export const contradictions = {
  'an exam has its result without its activity': `
    select from exam_attempts e
    where ${isBenchLearner('uid')} and submitted_at is not null and not exists (
      select from activities a
      where a.uid = e.uid and a.id = 'exam:' || e.id
    )`,
  'a finished lesson is without its activity': `
    select from lesson_progress p
    where ${isBenchLearner('uid')} and mark = 'done' and not exists (
      select from activities a
      where a.uid = p.uid and a.id = concat_ws(':', 'lesson', p.course_id, p.lesson_id)
    )`,
  'two attempts at one exam are open': `
    select from exam_attempts
    where ${isBenchLearner('uid')} and submitted_at is null
    group by uid, course_id
    having count(*) > 1`,
  'a certificate was earned and not issued': `
    select from enrollments e
    where ${isBenchLearner('uid')} and completed_at is not null
      and exists (
        select from exam_attempts a
        where a.uid = e.uid and a.course_id = e.course_id and a.passed
      )
      and not exists (
        select from certificates c
        where c.uid = e.uid and c.course_id = e.course_id
      )`,
  'a certificate is without its achievement': `
    select from certificates c
    where ${isBenchLearner('uid')} and not exists (
      select from achievements a
      where a.uid = c.uid and a.achievement_id = 'first-certificate'
    )`,
  'a certificate in the register belongs to no learner': `
    select from certificate_register r
    where not exists (select from certificates c where c.id = r.id)`,
}
