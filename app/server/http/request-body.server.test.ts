import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readForm, readJson } from './request-body.server'

const post = (body: BodyInit | null, type?: string) =>
  new Request('http://x.example/', {
    method: 'POST',
    body,
    headers: type ? { 'Content-Type': type } : {},
  })

async function getRefusal(result: Promise<unknown>) {
  const error: unknown = await result.then(
    () => null,
    (error) => error,
  )
  return error instanceof Response ? { status: error.status, message: await error.text() } : null
}

function createFormRequest(name: string, value: string | File) {
  const form = new FormData()
  form.set(name, value)
  return post(form)
}

describe('a body that is not a form', () => {
  it.each([
    ['nothing', post(null)],
    ['JSON', post('{"email":"a"}', 'application/json')],
    ['multipart without a boundary', post('x', 'multipart/form-data')],
    ['half of a multipart body', post('--b\r\nContent-Disp', 'multipart/form-data; boundary=b')],
  ])('is refused with a message: %s', async (_case, request) => {
    expect(await getRefusal(readForm(request))).toEqual({
      status: 400,
      message: 'We couldn’t read this form. Please try again.',
    })
  })
})

it('refuses names, values and file names that the database cannot store', async () => {
  for (const request of [
    post('email=a%00b', 'application/x-www-form-urlencoded'),
    post('a%00b=email', 'application/x-www-form-urlencoded'),
    createFormRequest('photo', new File(['x'], 'a\0b.png')),
  ]) {
    expect(await getRefusal(readForm(request))).toMatchObject({ status: 400 })
  }
})

const createFields = (count: number) =>
  Array.from({ length: count }, (_, index) => `f${index}=1`).join('&')
const createParts = (count: number) =>
  `${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'.repeat(count)}--b--\r\n`

describe('a form with very many fields', () => {
  it('is refused if it has more than 200', async () => {
    const form = (count: number) =>
      readForm(post(createFields(count), 'application/x-www-form-urlencoded'))

    expect([...(await form(200))]).toHaveLength(200)
    expect(await getRefusal(form(201))).toEqual({
      status: 413,
      message: 'This is too large to send.',
    })
  })

  it('is refused if it is multipart and has more than 30 parts', async () => {
    const form = (count: number) =>
      readForm(post(createParts(count), 'multipart/form-data; boundary=b'))

    expect((await form(30)).getAll('a')).toHaveLength(30)
    expect(await getRefusal(form(31))).toMatchObject({ status: 413 })
  })

  it.each([
    ['fields', '&a'.repeat(6 * 1024 * 1024), 'application/x-www-form-urlencoded'],
    ['parts', createParts(200_000), 'multipart/form-data; boundary=b'],
  ])('is refused before it is parsed, also with 12 MB of %s', async (_what, body, type) => {
    expect(await getRefusal(readForm(post(body, type)))).toMatchObject({ status: 413 })
  })
})

it('refuses JSON with more than 200 fields', async () => {
  const json = (count: number) =>
    readJson(post(JSON.stringify(Array.from({ length: count }, () => 1))))

  expect(await json(200)).toHaveLength(200)
  expect(await getRefusal(json(201))).toMatchObject({ status: 413 })
})

it('returns a form that can be read', async () => {
  expect(
    (await readForm(post('name=%F0%9F%98%80', 'application/x-www-form-urlencoded'))).get('name'),
  ).toBe('😀')
})

it.each(['', '{', '{"a":"\\u0000"}', '{"a":["\\ud800"]}', '{"a\\u0000":1}', '['.repeat(60_000)])(
  'refuses JSON that cannot be read or kept: %.20s',
  async (body) => {
    expect(await getRefusal(readJson(post(body)))).toEqual({
      status: 400,
      message: 'We couldn’t read this request.',
    })
  },
)

it('returns JSON that can be read', async () => {
  expect(await readJson(post('{"a":["😀",1,null]}'))).toEqual({ a: ['😀', 1, null] })
})

it('returns JSON only if the database can store all of its names and values', async () => {
  const part = fc.constantFrom('\\', 'u0000', '\0', '\ud83d', '\ude00', '😀', 'ud800', 'a', '"')
  const text = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(text, text, async (name, value) => {
      const read = await readJson(post(JSON.stringify({ [name]: [value] }))).catch(() => null)
      const canBeKept = [name, value].every((typed) => !/[\0\p{Surrogate}]/u.test(typed))
      expect(read).toEqual(canBeKept ? { [name]: [value] } : null)
    }),
  )
})
