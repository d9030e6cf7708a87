import { Agent, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { selfSignedCertificate } from './self-signed-certificate'

/**
 * A proxy as in front of a school's product: TLS with a new certificate, and round robin over the
 * processes.
 *
 * @param host its host name.
 */
export async function startTlsProxy(host: string) {
  const { key, cert } = selfSignedCertificate(host)
  const agent = new Agent({ keepAlive: true })
  const front = {
    port: 0,
    /** Of the processes behind, on loopback. */
    upstreamPorts: [] as number[],
    /** Which process answered, request by request. */
    answeredBy: [] as number[],
    /**
     * False is nginx's plain `proxy_pass`: the process is asked by its own address, and told
     * nothing else.
     */
    passesHost: true,
    stop() {
      server.closeAllConnections()
      server.close()
      agent.destroy()
    },
  }
  const server = createServer({ key, cert }, (request, response) => {
    const port = front.upstreamPorts[front.answeredBy.length % front.upstreamPorts.length] ?? 0
    front.answeredBy.push(port)
    passOn(request, response, { port, agent, headers: headersFor(request, port, front.passesHost) })
  })

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  front.port = (server.address() as AddressInfo).port

  return front
}

/** As `docs/examples/nginx.conf` sets them. */
function headersFor({ headers, socket }: IncomingMessage, port: number, passesHost: boolean) {
  if (!passesHost) {
    return { ...headers, host: `127.0.0.1:${port}` }
  }

  const client = socket.remoteAddress ?? ''
  const forwardedFor = headers['x-forwarded-for']
    ? `${headers['x-forwarded-for']}, ${client}`
    : client

  return { ...headers, 'x-forwarded-for': forwardedFor, 'x-forwarded-proto': 'https' }
}

type Upstream = { port: number; agent: Agent; headers: IncomingMessage['headers'] }

function passOn(request: IncomingMessage, response: ServerResponse, upstream: Upstream): void {
  const { method, url: path } = request
  const question = ask({ host: '127.0.0.1', method, path, ...upstream }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
    answer.pipe(response)
  })
  question.once('error', () => {
    if (response.headersSent) {
      response.destroy()
    } else {
      response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>')
    }
  })

  response.once('close', () => question.destroy())
  request.pipe(question)
}
