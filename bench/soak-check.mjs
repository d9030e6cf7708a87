/** Whether the database has what learners of the soak bench had acknowledged, once, and nothing else. */

/** @returns how many facts were acknowledged, and a sentence for each kind of which one is missing, twice or was never sent. */
export async function checkStored(sql, ledger) {
  const result = { facts: 0, problems: /** @type {string[]} */ ([]) }
  const acknowledged = listAcknowledged(ledger)
  // Practice counts as study time, too, but only the server knows how much.
  const timed = ledger.filter(({ practiced }) => practiced.size === 0).map(({ uid }) => uid)
  for (const [kind, query] of Object.entries(storedFacts(sql, timed))) {
    const stored = new Map()
    for (const { fact } of await query) stored.set(fact, (stored.get(fact) ?? 0) + 1)
    const wanted = new Set(acknowledged[kind])
    const missing = [...wanted].filter((fact) => !stored.has(fact))
    // A question that is missed again counts as another turn.
    const unasked = (fact) => kind !== 'practice' && kind !== 'certificate' && !wanted.has(fact)
    const surplus = [...stored].filter(([fact, times]) => times > 1 || unasked(fact)).map(([fact]) => fact)
    result.facts += wanted.size
    if (missing.length > 0) result.problems.push(`${kind}: ${missing.length} missing, such as ${missing[0]}`)
    if (surplus.length > 0)
      result.problems.push(`${kind}: ${surplus.length} twice or never sent, such as ${surplus[0]}`)
  }
  const [{ due }] = await sql`select count(*)::int as due from enrollments e ${ofLearners(sql)}
    and completed_at is not null and not exists (select from certificates c where c.uid = e.uid and c.course_id = e.course_id)
    and exists (select from exam_attempts a where a.uid = e.uid and a.course_id = e.course_id and a.passed)`
  if (due > 0) result.problems.push(`certificate: ${due} were earned and not issued`)
  return result
}

/** @returns {Record<string, string[]>} */
function listAcknowledged(ledger) {
  const of = (list) => ledger.flatMap((one) => [...list(one)].map((fact) => `${one.uid} ${fact}`))
  const attempts = ({ exams }) => [...exams.values()]
  const answersOf = ({ id, answers }) =>
    [...answers].map(([number, { revision, value }]) => `${id} ${number} ${revision} ${value.replaceAll(', ', ',')}`)
  const times = ({ visits }) => visits.filter(({ until }) => until > 0).map(({ openedAt, until }) => [openedAt, until])
  return {
    account: ledger.flatMap(({ email }) => email || []),
    enrollment: of(({ enrolled }) => enrolled),
    wish: of(({ wishes }) => wishes),
    vote: of(({ votes }) => votes),
    review: of(({ review }) => (review ? [review] : [])),
    'finished lesson': of(({ done }) => done),
    'quiz answer': of(({ answered }) => answered),
    note: of(({ notes }) => [...notes].map((entry) => entry.join(' '))),
    practice: of(({ practiced }) => practiced),
    'exam answer': of((one) => attempts(one).flatMap(answersOf)),
    exam: of((one) => attempts(one).map(({ id }) => id)),
    'exam result': of((one) => attempts(one).flatMap(({ id, handedIn }) => (handedIn ? [`exam:${id}`] : []))),
    certificate: of(({ certificate }) => (certificate ? [certificate] : [])),
    location: of(({ location }) => (location ? [location] : [])),
    photo: of(({ photos }) => (photos > 0 ? ['photo'] : [])),
    film: of(({ films }) => united(films)),
    'study time': of((one) => (one.practiced.size === 0 ? united(times(one)) : [])),
  }
}

function storedFacts(sql, timed) {
  const mine = ofLearners(sql)
  return {
    account: sql`select u.email as fact from users u join identities i on i.user_id = u.id where u.email like 'soak-%'`,
    enrollment: sql`select uid || ' ' || course_id as fact from enrollments ${mine}`,
    wish: sql`select uid || ' ' || course_id as fact from wishes ${mine}`,
    vote: sql`select uid || ' ' || course_id || ' ' || review_id as fact from review_votes ${mine}`,
    review: sql`select uid || ' ' || rating || ' ' || comment as fact from reviews ${mine}`,
    'finished lesson': sql`select uid || ' ' || lesson_id as fact from lesson_progress ${mine} and mark = 'done'`,
    'quiz answer': sql`select uid || ' ' || lesson_id || ' ' || unnest(answered) as fact from lesson_progress ${mine}`,
    note: sql`select uid || ' ' || id || ' ' || body as fact from notes ${mine}`,
    practice: sql`select uid || ' ' || question_id as fact from practice_cards ${mine} and turn > 0`,
    'exam answer': sql`select a.uid || ' ' || a.attempt_id || ' ' || drawn.number || ' ' || a.revision || ' '
        || replace(a.answer::text, ', ', ',') as fact
      from exam_answers a join exam_attempts e on e.uid = a.uid and e.id = a.attempt_id
        join jsonb_array_elements(e.paper) with ordinality as drawn (entry, number)
          on entry->'question'->>'id' = a.question_id ${ofLearners(sql, 'a.uid')}`,
    exam: sql`select uid || ' ' || id as fact from exam_attempts ${mine}`,
    'exam result': sql`select e.uid || ' ' || a.id as fact
      from exam_attempts e join activities a on a.uid = e.uid and a.id = 'exam:' || e.id
      ${ofLearners(sql, 'e.uid')} and e.submitted_at is not null and e.score is not null`,
    certificate: sql`select uid || ' ' || id as fact from certificates ${mine}`,
    location: sql`select id || ' ' || location as fact from users ${ofLearners(sql, 'id')} and location is not null`,
    photo: sql`select id || ' photo' as fact from users ${ofLearners(sql, 'id')} and image is not null`,
    film: sql`select uid || ' ' || lower(part) || '-' || upper(part) as fact
      from lesson_progress, unnest(watched_ms) part ${mine}`,
    'study time': sql`select uid || ' ' || round(extract(epoch from lower(part)) * 1000) || '-'
        || round(extract(epoch from upper(part)) * 1000) as fact
      from (select uid, range_agg(part) as parts from study_days, unnest(studied) part
        where uid in ${sql(timed)} group by uid) learner, unnest(parts) part`,
  }
}

/** Everyone but the demo learner. */
function ofLearners(sql, column = 'uid') {
  return sql`where ${sql(column)} in (select id from users where email like '%@bench.example')`
}

/** As texts, without empty pieces. */
function united(pieces) {
  const whole = []
  for (const [start, end] of pieces.filter((piece) => piece[0] < piece[1]).sort((a, b) => a[0] - b[0])) {
    const last = whole.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else whole.push([start, end])
  }
  return whole.map((piece) => piece.join('-'))
}
