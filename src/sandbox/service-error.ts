/** An error answer as the service writes it. Does not cover injected faults. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly status: 400 | 401 | 403 | 404 | 415 | 422;
  readonly code: string;

  constructor(status: ServiceError['status'], code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
