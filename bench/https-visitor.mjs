/** A visitor who keeps cookies and asks through a proxy with TLS on loopback, whatever name its certificate has. */
import { request } from 'node:https'

/** @param {{ host: string, tlsPort: number }} place `host` with its port, as a learner types it. */
export function newVisitor({ host, tlsPort }) {
  const origin = `https://${host}`
  const jar = new Map()
  /** Every line that set a cookie so far. */
  const cookieLines = /** @type {string[]} */ ([])

  /**
   * One request with the cookies so far.
   *
   * @param {string} target
   * @param {{ method?: string, headers?: Record<string, string>, body?: string }} [options] `body`: a form's by default.
   */
  function ask(target, { method = 'GET', headers = {}, body } = {}) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const posting = method === 'POST' && { Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' }
    return new Promise((resolve, reject) => {
      const question = request({
        host: '127.0.0.1',
        port: tlsPort,
        path: target,
        method,
        servername: new URL(origin).hostname,
        rejectUnauthorized: false,
        headers: { Host: host, ...(cookie && { Cookie: cookie }), ...posting, ...headers },
      })
      question.once('error', reject)
      question.once('response', async (answer) => {
        const chunks = []
        try {
          for await (const chunk of answer) chunks.push(chunk)
        } catch (error) {
          return reject(error)
        }
        for (const line of answer.headers['set-cookie'] ?? []) keepCookie(line)
        resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) })
      })
      question.end(body)
    })
  }

  function keepCookie(line) {
    cookieLines.push(line)
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/max-age=0/i.test(line)) jar.delete(name)
    else jar.set(name, value)
  }

  return { ask, jar, cookieLines }
}
